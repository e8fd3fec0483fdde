/**
 * Whether a permission is held at a team: one that is held at a team holds below it; `/` is the platform.
 * Without a team: whether it is held anywhere.
 */
export function holds(
  permissions: Readonly<Record<string, readonly string[]>>,
  permission: string,
  teamPath: string | undefined,
): boolean {
  return Object.entries(permissions).some(
    ([path, held]) =>
      held.includes(permission) &&
      (teamPath === undefined || path === '/' || path === teamPath || teamPath.startsWith(`${path}/`)),
  )
}
