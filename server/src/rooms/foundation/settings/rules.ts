const PATH = /^setting\/[a-z0-9_-]+(\/[a-z0-9_-]+)*\.yaml$/

/** `setting/system/mail.yaml`: lower-case parts below `setting/`, ending in `.yaml`. */
export function isSettingPath(path: string): boolean {
  return path.length <= 200 && PATH.test(path)
}

/** What a sealed field is bound to: moved to another document, version or field it does not open. */
export function sealContext(path: string, version: number, field: string): string {
  return `setting:${path}:${version}:${field}`
}
