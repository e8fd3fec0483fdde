import assert from 'node:assert/strict'
import type { HttpServer } from '#platform/http'
import { createProviderBrowser } from '../../../adapters/openid/testing.ts'

/** A browser between the page and a provider: it keeps the cookies of both, and follows where it is sent. */
export interface TestBrowser {
  readonly cookies: ReadonlyMap<string, string>
  /** Asks the control plane as a click on a link from anywhere does. */
  go(
    path: string,
  ): Promise<{ readonly status: number; readonly location: string; readonly setCookies: readonly string[] }>
  /** Goes to a provider; answers the address to which that sends it back. */
  leave(url: string): Promise<string>
  /** From the button to the address to which the provider sends it back, as a path of the control plane. */
  toProvider(path: string): Promise<string>
  /** The whole way; answers the place in the page where it ends. */
  signIn(provider: string, returnTo?: string): Promise<string>
  /** A request of the page itself. */
  ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    payload?: object,
  ): Promise<{ readonly status: number; readonly body: unknown }>
  /** Takes the cookies of another one. */
  steal(cookies: ReadonlyMap<string, string>): void
}

export function createTestBrowser({ app }: HttpServer, base: string): TestBrowser {
  const cookies = new Map<string, string>()
  const provider = createProviderBrowser()
  const headers = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  })
  const keep = (lines: readonly string[]): void => {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  const browser: TestBrowser = {
    cookies,
    async go(path) {
      const answer = await app.inject({
        method: 'GET',
        url: path,
        headers: { ...headers(), 'sec-fetch-site': 'cross-site' },
      })
      const setCookies = [answer.headers['set-cookie'] ?? []].flat()
      keep(setCookies)
      return { status: answer.statusCode, location: String(answer.headers['location']), setCookies }
    },
    leave: (url) => provider.visit(url),
    async toProvider(path) {
      const { status, location } = await browser.go(path)
      assert.equal(status, 302)
      const back = await browser.leave(location)
      assert.ok(back.startsWith(`${base}/`), back)
      return back.slice(base.length)
    },
    async signIn(id, returnTo) {
      const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`
      const { status, location } = await browser.go(await browser.toProvider(`/v1/sign-in/${id}${query}`))
      assert.equal(status, 302)
      assert.ok(location.startsWith(`${base}/#/`), location)
      return location.slice(`${base}/`.length)
    },
    async ask(method, path, payload) {
      const own = { ...headers(), 'sec-fetch-site': 'same-origin' }
      const answer = await app.inject({ method, url: path, headers: own, ...(payload ? { payload } : {}) })
      keep([answer.headers['set-cookie'] ?? []].flat())
      return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
    },
    steal: (other) => {
      for (const [name, value] of other) cookies.set(name, value)
    },
  }
  return browser
}
