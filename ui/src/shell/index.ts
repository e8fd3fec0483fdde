export type { NavigationEntry } from './navigation.ts'
export { rememberedTeam } from './remembered-team.ts'
export { type PageContext, rootRoute, shellRoute, teamRoute } from './root-route.tsx'
export { EVERY_TEAM, teamQuery } from './teams.ts'
