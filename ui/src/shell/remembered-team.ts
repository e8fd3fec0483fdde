import { EVERY_TEAM } from './teams.ts'

const KEY = 'signalbox-team'

/** The team that was chosen last in this browser. */
export function rememberedTeam(): string {
  try {
    return localStorage.getItem(KEY) ?? EVERY_TEAM
  } catch {
    return EVERY_TEAM
  }
}

export function rememberTeam(team: string): void {
  try {
    localStorage.setItem(KEY, team)
  } catch {
    // A browser that stores nothing forgets it.
  }
}
