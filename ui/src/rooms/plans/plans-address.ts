/** What the list shows, by the `show` of the address; the first without one. */
export const VIEWS = { to_approve: 'Waiting for you', own: 'Your own', all: 'All' } as const

export type View = keyof typeof VIEWS

interface PlansAddress {
  readonly show?: Exclude<View, 'to_approve'>
}

export function readPlansAddress({ show }: Readonly<Record<string, unknown>>): PlansAddress {
  return show === 'own' || show === 'all' ? { show } : {}
}
