const FORM = /^(user|group|service_account):([0-9a-f-]{36})$/

export interface SubjectRefParts {
  readonly kind: 'user' | 'group' | 'service_account'
  readonly id: string
}

/** `user:<id>`, `group:<id>` or `service_account:<id>`; undefined for anything else. */
export function readSubjectRef(text: string): SubjectRefParts | undefined {
  const [, kind, id = ''] = FORM.exec(text) ?? []
  if (kind === 'user' || kind === 'group' || kind === 'service_account') return { kind, id }
  return undefined
}
