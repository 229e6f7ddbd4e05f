import { z } from 'zod';

// zod writes code for every schema otherwise. To be imported before all that make one.
z.config({ jitless: true });
