import type { Member } from './access.ts'

type MemberRight = Member['rights'][number]

/** Where a right comes from, for who looks at the members of `team`. */
export function originOf({ origin, team_path, group }: Omit<MemberRight, 'grant_id'>, team: string): string {
  const place = team_path === '/' ? 'the platform' : team_path
  switch (origin) {
    case 'own':
      return 'given here'
    case 'inherited':
      return `inherited from ${place}`
    case 'group':
      return `through the group ${group?.name ?? ''}, ${team_path === team ? 'given here' : `inherited from ${place}`}`
    default:
      return origin satisfies never
  }
}

/** What is told of rights that one may not see. */
export function hiddenWords({ subject, rights }: Pick<Member, 'subject' | 'rights'>): string {
  if (subject === null) return 'Grants of teams above, to members whom you may not see.'
  return rights.length === 0 ? 'A grant of a team above that you may not see.' : 'And a grant that you may not see.'
}

/** `service_account:<id>` -> service account. */
export function kindOf(subject: string): string {
  return subject.slice(0, subject.indexOf(':')).replace('_', ' ')
}
