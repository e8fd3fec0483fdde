import { createTestDatabase } from '#platform/testing'
import { serveRepositories } from '../../../../../../runner/src/testing/repositories.ts'
import { temporaryFolder } from '../../../../../../runner/src/testing/runner-under-test.ts'
import { openCauses } from '../../sources/testing.ts'
import { writeRepository } from './write-repository.ts'

/** Where git is. */
export const PATH = process.env['PATH'] ?? '/usr/bin:/bin'

/** The rooms of causes, and a Git server that they may read: it serves `repository` as `/repository.git` to bot. */
export async function openCausesOverGit() {
  const folder = temporaryFolder()
  const repository = writeRepository(folder.path, PATH)
  const server = await serveRepositories(folder.path, 'bot', 'a read token')
  const testDatabase = await createTestDatabase()
  const causes = await openCauses(testDatabase, { PATH, PROVIDER_HOSTS: '127.0.0.1' })
  return {
    causes,
    db: testDatabase.database.kysely,
    repository,
    server,
    async close() {
      await causes.close()
      server[Symbol.dispose]()
      folder[Symbol.dispose]()
    },
  }
}
