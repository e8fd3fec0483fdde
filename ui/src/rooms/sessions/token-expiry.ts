/** Days after which a new token ends. */
export const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
  { value: 'never', label: 'until it is revoked' },
]

const DAY_MS = 86_400_000

/** As the API takes it; null: never. */
export function expiryAfter(days: string, now: Date): string | null {
  return days === 'never' ? null : new Date(now.getTime() + Number(days) * DAY_MS).toISOString()
}
