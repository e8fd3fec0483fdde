const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Why a stored credential must not be sent to this address; undefined when it may. The address comes from an event:
 * a credential in clear text could be read on the way by anyone. Over ssh the credential is never sent.
 */
export function findUnsafeCarrier(cloneUrl: string): string | undefined {
  if (!URL.canParse(cloneUrl)) return 'a credential may not be sent to its address.'
  const { protocol, hostname } = new URL(cloneUrl)
  if (protocol === 'http:' && !LOOPBACK.test(hostname)) {
    return 'the credential of its source would travel over plain http; the provider must name an https address.'
  }
  return undefined
}
