import { browserStorage } from '../client/browser-storage.ts'
import { EVERY_TEAM } from './teams.ts'

const KEY = 'signalbox-team'

/** The team that was chosen last in this browser. */
export function rememberedTeam(): string {
  return browserStorage.getItem(KEY) ?? EVERY_TEAM
}

export function rememberTeam(team: string): void {
  browserStorage.setItem(KEY, team)
}
