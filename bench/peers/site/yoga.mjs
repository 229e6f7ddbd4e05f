import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { logListening, resolvers, typeDefs } from './resolvers.mjs';

const server = createServer(createYoga({ schema: createSchema({ typeDefs, resolvers }) }));
server.listen(0, '127.0.0.1', () => logListening(server.address().port));
