/**
 * Every room, from the cellar to the roof: the one place where the order is written down.
 * A room may ask rooms listed before it; it tells the others by a fact. A new room is added here first.
 */
export const ROOMS: readonly string[] = [
  'foundation/audit',
  'foundation/teams',
  'foundation/secrets',
  'foundation/settings',
  'foundation/access',
  'foundation/preferences',
  'foundation/sessions',
  'foundation/identities',
  'catalog/knowledge',
  'catalog/git-apps',
  'catalog/profiles',
  'catalog/pipelines',
  'catalog/runners',
  'execution/runs',
  'execution/approvals',
  'execution/logs',
  'execution/artifacts',
  'execution/dispatch',
  'causes/overrides',
  'causes/triggers',
  'causes/events',
  'causes/sources',
  'causes/reports',
  'causes/commands',
  'causes/recovery',
  'causes/schedules',
  'causes/external-triggers',
  'front/plans',
  'front/live',
  'front/setup',
  'front/health',
  'front/about',
  'front/overview',
  'front/search',
  'front/mcp',
]

/**
 * The names that may lie in a room: a file, or a folder of that name once the file outgrows 300 lines. A file imports
 * what stands on its own line or on a line above, types included. `means` may name types of actions besides.
 */
export const ROOM_ORDER: readonly (readonly string[])[] = [
  ['rules'],
  ['errors', 'facts', 'store'],
  ['means', 'metrics'],
  ['actions'],
  ['routes', 'tools', 'planners', 'rpc', 'jobs', 'reactions', 'live'],
  ['index'],
]

/** Every name that a room may use; `testing` serves tests alone and has no place in the order. */
export const ROOM_FILES: readonly string[] = [...ROOM_ORDER.flat(), 'testing']

/**
 * Engines: folders of a room with state of their own. Actions use those `below` them; those `above` them call actions.
 * A folder that belongs to one room only is added here.
 */
export const ENGINES: Readonly<Record<string, Readonly<Record<string, 'below actions' | 'above actions'>>>> = {
  'foundation/access': { authentication: 'below actions' },
  'foundation/audit': { writer: 'above actions' },
  'foundation/sessions': { authentication: 'below actions' },
  'catalog/git-apps': { tokens: 'below actions' },
  'execution/dispatch': { sessions: 'below actions', dispatcher: 'above actions' },
  'causes/sources': { ingress: 'below actions' },
  'causes/schedules': { scheduler: 'above actions' },
  'front/live': { hub: 'below actions' },
  'front/mcp': { limits: 'below actions', lists: 'below actions' },
}
