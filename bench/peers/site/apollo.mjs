import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { logListening, resolvers, typeDefs } from './resolvers.mjs';

const server = new ApolloServer({ typeDefs, resolvers });
const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
logListening(new URL(url).port);
