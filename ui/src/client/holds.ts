/** Whether a permission is held at a team: one that is held at a team holds below it; `/` is the platform. */
export function holds(
  permissions: Readonly<Record<string, readonly string[]>>,
  permission: string,
  teamPath: string,
): boolean {
  return Object.entries(permissions).some(
    ([path, held]) =>
      held.includes(permission) && (path === '/' || path === teamPath || teamPath.startsWith(`${path}/`)),
  )
}
