/** Where a provider sends the deliveries of a source; undefined where the control plane does not know its own address. */
export function payloadUrlOf(baseUrl: string | undefined, sourceId: string): string | undefined {
  return baseUrl === undefined ? undefined : `${baseUrl}${pathOf(sourceId)}`
}

/** Whether an address is the source's, also under a former address of the control plane. */
export function isPayloadUrlOf(sourceId: string, url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.toLowerCase().endsWith(pathOf(sourceId))
}

function pathOf(sourceId: string): string {
  return `/v1/git/webhooks/${sourceId}`
}
