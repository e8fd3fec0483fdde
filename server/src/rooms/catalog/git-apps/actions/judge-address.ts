import { isPublicAddress } from '#platform/http'
import type { Means } from '../means.ts'

const LOCAL_NAME = /^(?:.+\.)?localhost\.?$/i

/** The longest that somebody waits for the name of a host. */
const RESOLVE_MS = 3000

/**
 * Why the provider cannot reach an address of this service, as the end of a sentence; undefined: it may. A provider that
 * is on an inner address itself may reach others there. A name that nobody here knows may be known to the provider.
 */
export async function findReachFault(
  means: Means,
  address: { readonly publicUrl: string; readonly baseUrl: string },
): Promise<string | undefined> {
  const ours = new URL(address.publicUrl)
  const isInner = await leadsInside(means, ours.hostname)
  if (!isInner) {
    return ours.protocol === 'https:' ? undefined : 'must be an https address: the provider sends a secret there'
  }
  if (await leadsInside(means, new URL(address.baseUrl).hostname)) return undefined
  return `names ${ours.hostname}, which is on this machine or in a private network: the provider cannot reach it`
}

async function leadsInside(means: Means, hostname: string): Promise<boolean> {
  if (LOCAL_NAME.test(hostname)) return true
  if (isAddress(hostname)) return !isPublicAddress(hostname)
  const found = await resolveInTime(means, hostname)
  return found.some((address) => !isPublicAddress(address))
}

/** URL has written every form of an IPv4 address, such as 0x7f.1, with four numbers by then. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname)
}

async function resolveInTime({ clock, resolve }: Means, hostname: string): Promise<readonly string[]> {
  const late = Promise.withResolvers<readonly string[]>()
  const timer = clock.after(RESOLVE_MS, () => late.resolve([]))
  try {
    return await Promise.race([resolve(hostname), late.promise])
  } finally {
    timer.cancel()
  }
}
