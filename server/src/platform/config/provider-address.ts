const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** An address of a provider in its one written form, or its fault, as the end of a sentence that begins with the field. */
export type BaseUrl = { readonly url: string } | { readonly fault: string }

/**
 * `hosts` come from `provider_hosts`: `git.example.com` stands for every port of it, `git.example.com:8443` for one.
 */
export function readBaseUrl(text: string, hosts: readonly string[]): BaseUrl {
  if (!URL.canParse(text)) return { fault: 'must be an address such as https://gitlab.example.com' }
  const url = new URL(text)
  const { protocol, hostname } = url
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname))) {
    return { fault: 'must be an https address; http is for loopback only' }
  }
  if (url.username !== '' || url.password !== '') return { fault: 'must not hold a user or a password' }
  // A lone "?" or "#" leaves nothing behind in the parsed address.
  if (/[?#]/.test(text)) return { fault: 'must not hold a query or a fragment' }
  if (!isListed(url, hosts)) {
    return { fault: `names the host ${url.host}, which is not in provider_hosts: an operator adds it there` }
  }
  return { url: `${url.origin}${url.pathname.replace(/\/+$/, '')}` }
}

function isListed({ host, hostname }: URL, hosts: readonly string[]): boolean {
  return hosts.some((entry) => {
    const folded = entry.toLowerCase()
    return folded === host || folded === hostname
  })
}
