/** What a provider says about an account: any JSON, text from outside. */
export type Claims = Readonly<Record<string, unknown>>

const SUBJECT = /^[\x20-\x7e]{1,255}$/
const MOST_OF_NAME = 200
const EMAIL = /^[\x21-\x3f\x41-\x7e]{1,64}@[\x21-\x3f\x41-\x7e]{1,255}$/

/** At most 255 characters of ASCII, as the standard says. */
export function isSubject(subject: string): boolean {
  return SUBJECT.test(subject)
}

/** The values of a claim: one text, number or truth value, or a list of them. */
export function valuesOf(claims: Claims, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((each) => (['string', 'number', 'boolean'].includes(typeof each) ? [String(each)] : []))
}

/** Whether each required claim has one of its values. */
export function meetsRequired(required: ReadonlyMap<string, readonly string[]>, claims: Claims): boolean {
  return [...required].every(([name, allowed]) => valuesOf(claims, name).some((value) => allowed.includes(value)))
}

export interface GroupMapping {
  readonly groupsClaim: string | undefined
  /** Groups by values of the claim. */
  readonly groups: ReadonlyMap<string, string>
}

/** For each group that the mapping names, whether the account is to be in it. */
export function membershipsOf({ groupsClaim, groups }: GroupMapping, claims: Claims): ReadonlyMap<string, boolean> {
  const values = new Set(groupsClaim === undefined ? [] : valuesOf(claims, groupsClaim))
  const memberships = new Map<string, boolean>()
  for (const [value, group] of groups) memberships.set(group, memberships.get(group) === true || values.has(value))
  return memberships
}

export interface Profile {
  /** For a login, the best first. */
  readonly wishes: readonly string[]
  readonly name: string | undefined
  /** Only where the provider has verified it. */
  readonly email: string | null
}

export function profileOf(claims: Claims): Profile {
  const [email = ''] = valuesOf(claims, 'email')
  const [name = ''] = valuesOf(claims, 'name')
  const wishes = ['preferred_username', 'nickname'].flatMap((claim) => valuesOf(claims, claim).slice(0, 1))
  return {
    wishes: [...wishes, email.split('@')[0] ?? '', name],
    name: readable(name),
    email: claims['email_verified'] === true && EMAIL.test(email) ? email : null,
  }
}

/** Without characters that control a terminal, hide text or turn its direction. */
function readable(name: string): string | undefined {
  const text = name
    .slice(0, 10 * MOST_OF_NAME)
    .replaceAll(/[\p{Control}\p{Format}\p{Surrogate}\s]+/gu, ' ')
    .trim()
  return text === '' ? undefined : [...text].slice(0, MOST_OF_NAME / 2).join('')
}
