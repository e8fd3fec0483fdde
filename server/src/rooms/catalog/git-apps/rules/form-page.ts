/** The page that posts a manifest to its provider. It has no script: a person presses the button. */
export function renderForm(page: {
  readonly action: string
  readonly manifest: object
  readonly title: string
}): string {
  const { action, manifest, title } = page
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Register a ${escapeHtml(title)} app</title>
</head>
<body>
<main>
<h1>Register a ${escapeHtml(title)} app</h1>
<p>The next page is ${escapeHtml(new URL(action).host)}. It shows what the app asks for, and makes it when you confirm.</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifest))}">
<button type="submit" autofocus>Go on to ${escapeHtml(title)}</button>
</form>
</main>
</body>
</html>
`
}

/** Nothing runs, and the form leads to the provider alone. */
export function formPolicy(action: string): string {
  return `default-src 'none'; form-action ${new URL(action).origin}; base-uri 'none'; frame-ancestors 'none'`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
