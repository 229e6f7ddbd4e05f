import forms from '../../forms.json';

/** The same question and the same answer as of the others, but without a GraphQL server: a route is what Next has. */
export async function POST(request) {
  const { query, variables } = await request.json();
  if (!query.startsWith('mutation')) return Response.json({ data: { getHelpForm: forms.help } });
  const { keep } = await import(/* turbopackIgnore: true */ process.env.PEER_STORE);
  return Response.json({ data: { submitHelpRequest: keep(variables) } });
}
