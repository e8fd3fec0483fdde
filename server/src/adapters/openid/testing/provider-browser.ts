/** The part of a browser that a provider needs: it keeps cookies and follows redirects. */
export interface ProviderBrowser {
  /** Goes where the address leads, and answers the first address beyond the provider's own. */
  visit(url: string): Promise<string>
}

const MOST_STEPS = 10

export function createProviderBrowser(): ProviderBrowser {
  const cookies = new Map<string, string>()
  return {
    async visit(url) {
      const { origin } = new URL(url)
      let at = url
      for (let step = 0; step < MOST_STEPS; step += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null)
          throw new Error(`${at} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
        await response.body?.cancel()
        at = new URL(location, at).href
        if (new URL(at).origin !== origin) return at
      }
      throw new Error(`More than ${MOST_STEPS} redirects`)
    },
  }
}
