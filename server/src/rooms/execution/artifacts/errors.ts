import { defineProblems } from '#platform/problems'

export const artifactProblem = defineProblems({
  'transfer.token_invalid': { status: 401, title: 'The token is not one of an attempt in hand' },
  'transfer.part_invalid': { status: 400, title: 'The part is not what was announced' },
  'transfer.incomplete': { status: 409, title: 'Parts are missing' },
  'transfer.digest_differs': { status: 409, title: 'The bytes are not what was announced' },
  'artifact.name_taken': { status: 409, title: 'The attempt has another artifact of that name' },
  'artifact.file_unknown': { status: 404, title: 'The archive has no such file' },
  'artifact.no_file': { status: 422, title: 'The entry of the archive is no file' },
  'artifact.unreadable': { status: 422, title: 'The archive cannot be read' },
  'artifact.quota_exceeded': { status: 413, title: 'The team keeps as many artifacts as it may' },
  'cache.quota_exceeded': { status: 413, title: 'The cache is larger than the team may keep' },
  'storage.object_lost': { status: 410, title: 'The object store has lost the bytes' },
  'storage.unavailable': { status: 503, title: 'The object store cannot be used' },
})
