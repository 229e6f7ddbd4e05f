import forms from '../../forms.json';

/** The same questions and nothing else. The page is static, so Next renders it when it is built. */
export default function Page() {
  return (
    <form method="post">
      <h1>Get help</h1>
      {forms.help.map((field) => (
        <Field key={field.key} field={field} />
      ))}
      <button type="submit">Send</button>
    </form>
  );
}

function Field({ field: { key: name, type, displayName, description, choices, required } }) {
  return (
    <fieldset>
      <legend>{displayName}</legend>
      <p>{description}</p>
      {choices?.map((choice) => (
        <label key={choice}>
          <input type="checkbox" name={name} value={choice} /> {choice}
        </label>
      ))}
      {type === 'textarea' && <textarea name={name} required={required} />}
      {type === 'text' && <input name={name} required={required} />}
      {type === 'boolean' && <input name={name} type="checkbox" />}
    </fieldset>
  );
}
