const PATH = /^setting\/[a-z0-9_-]+(\/[a-z0-9_-]+)*\.yaml$/

/** `setting/system/mail.yaml`: lower-case parts below `setting/`, ending in `.yaml`. */
export function isSettingPath(path: string): boolean {
  return path.length <= 200 && PATH.test(path)
}

/** The context of a sealed field: a field that is moved to another document, version or name does not open. */
export function sealContext(path: string, version: number, field: string): string {
  return `setting:${path}:${version}:${field}`
}
