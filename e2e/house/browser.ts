/** A browser that is signed in, seen from the network: its cookie, and what browsers say of their pages. */
export interface Browser {
  readonly sessionId: string
  readonly cookie: string
  /** As a page of the house sends it; answers what came, whatever the status. */
  send(method: string, path: string, body?: object): Promise<Response>
}

export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

/** Signs in as the page does. Throws where it is refused. */
export async function signIn(url: string, login: string, password: string): Promise<Browser> {
  const answer = await fetch(`${url}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...OWN_PAGE },
    body: JSON.stringify({ login, password }),
  })
  const text = await answer.text()
  if (answer.status !== 201) throw new Error(`${login} cannot sign in: ${answer.status} ${text}`)
  const cookie = String(answer.headers.get('set-cookie')).split(';')[0] ?? ''
  const { id: sessionId }: { id: string } = JSON.parse(text)
  return {
    sessionId,
    cookie,
    send: (method, path, body) =>
      fetch(`${url}${path}`, {
        method,
        headers: { cookie, ...OWN_PAGE, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
  }
}
