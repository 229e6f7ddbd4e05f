import forms from '../../forms.json';

/** The same requests and responses as the other peers, but without a GraphQL server: Next offers routes. */
export async function POST(request) {
  const { query, variables } = await request.json();
  if (!query.startsWith('mutation')) return Response.json({ data: { getHelpForm: forms.help } });
  const { write } = await import(/* turbopackIgnore: true */ process.env.PEER_STORE);
  return Response.json({ data: { submitHelpRequest: write(variables) } });
}
