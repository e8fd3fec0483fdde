const LABEL = '[a-z0-9][a-z0-9_-]*'
const TEAM_PATH = new RegExp(`^${LABEL}(/${LABEL}){0,7}$`)
const ENVIRONMENT = /^[a-z0-9][a-z0-9_-]{0,62}$/
const MAX_PATH = 500

/** Lower-case letters, digits, `-`, `_`, parts that begin with a letter or digit, at most 8 levels. */
export function isTeamPath(text: string): boolean {
  return text.length <= MAX_PATH && TEAM_PATH.test(text)
}

/** The path one level up; undefined for a root team. */
export function parentPath(path: string): string | undefined {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? undefined : path.slice(0, slash)
}

/** `acme/web` -> acme/web, acme: itself first, nearest ancestor next. The platform, '/', is not among them. */
export function selfAndAncestors(path: string): readonly string[] {
  const paths = [path]
  for (let up = parentPath(path); up !== undefined; up = parentPath(up)) paths.push(up)
  return paths
}

/** `<team path>/<environment>` in its two parts; undefined for what is not the form of a scope. */
export function splitScope(scope: string): { readonly teamPath: string; readonly environment: string } | undefined {
  const slash = scope.lastIndexOf('/')
  if (slash < 0) return undefined
  const teamPath = scope.slice(0, slash)
  const environment = scope.slice(slash + 1)
  return isTeamPath(teamPath) && ENVIRONMENT.test(environment) ? { teamPath, environment } : undefined
}

/** What keeps a team from being deleted, and what to do, by the foreign key that was violated. */
export function sayOwned(constraint: string): string {
  if (constraint === 'pipelines_team_path_fkey') {
    return 'The team has pipelines, or had some: delete those that are left. Deleted ones are kept for their runs, and then the team stays.'
  }
  const owned: Readonly<Record<string, string>> = {
    teams_parent_id_fkey: 'teams below it',
    environments_team_id_fkey: 'environments',
    secrets_team_path_fkey: 'secrets',
    service_accounts_team_path_fkey: 'service accounts',
    profiles_team_path_fkey: 'profiles',
    triggers_team_path_fkey: 'triggers',
    webhook_sources_team_path_fkey: 'webhook sources',
  }
  const what = owned[constraint] ?? constraint.replace(/_team_.*$/, '').replaceAll('_', ' ')
  return `The team still owns ${what}: delete or move them first.`
}
