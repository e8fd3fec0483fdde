/** Leaves this page for another one, such as the provider's. Only http and https are followed. */
export function leadAway(address: string): void {
  const url = URL.parse(address)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') location.assign(url.href)
}
