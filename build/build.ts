import { build, mergeConfig } from 'vite';
import { client, earlyScript, reader, server, slowScript } from './configurations.ts';
import { writeEditorSchemas } from './editor-schemas.ts';

/** `npm run build`: everything in dist/. */

writeEditorSchemas('dist/schemas');

// The builds share a thread, so that Vite's warnings of slow plugins would blame one build for the work of another.
const checks = { bundlerTimings: false, pluginTimings: false };
const shared = { configFile: false, logLevel: 'warn', build: { rolldownOptions: { checks } } } as const;
await Promise.all(
  [client, server, earlyScript, slowScript, reader].map((configuration) =>
    build(mergeConfig(configuration, shared)),
  ),
);
