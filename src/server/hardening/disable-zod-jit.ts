import { z } from 'zod';

// Otherwise zod generates code for every schema. Import this before any module that makes a schema.
z.config({ jitless: true });
