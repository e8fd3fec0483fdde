import { useRouteContext } from '@tanstack/react-router'
import { useMayDo } from '../client/session.ts'
import { lackOf } from '../components/index.ts'
import type { Named } from './keys/offers.ts'
import { addressOf } from './navigation-bar.tsx'
import { SCHEMES, useChooseScheme } from './schemes.ts'
import { useShownTeam } from './shown-team.ts'
import { teamOrAny } from './teams.ts'

/** The pages of the person's own account. */
const ACCOUNT = [
  ['Preferences', '/preferences'],
  ['Sessions', '/account/sessions'],
  ['Accounts at providers', '/account/identities'],
  ['Tokens', '/account/tokens'],
] as const

export const ACCOUNT_PAGES = ACCOUNT.map(([label, address]) => ({ label, address, key: undefined }))

/** What the palette offers to do for the team that is shown: what rooms state, the colours, and the way out. */
export function usePaletteActions(leave: (isEverywhere: boolean) => void): readonly Named[] {
  const { actions } = useRouteContext({ from: '__root__' })
  const team = useShownTeam()
  const mayDo = useMayDo()
  const choose = useChooseScheme()
  return [
    ...actions.map(({ label, path, permission }) => {
      // Where the form asks for the team, it is asked whether one may anywhere.
      const at = path.startsWith('/') ? undefined : teamOrAny(team)
      const lack = mayDo(permission, at) ? undefined : lackOf(permission, at)
      return { label, deed: { address: addressOf({ path }, team) }, lack }
    }),
    ...SCHEMES.map(({ scheme, label }) => ({ label: `Colours: ${label}`, deed: { perform: () => choose(scheme) } })),
    { label: 'Sign out', deed: { perform: () => leave(false) } },
    { label: 'Sign out everywhere', deed: { perform: () => leave(true) } },
  ]
}
