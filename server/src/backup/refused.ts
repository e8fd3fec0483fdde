/** A backup, restore or move that cannot be done as asked; the message is for an operator and says what to do. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
  readonly code = 'backup.refused'
}
