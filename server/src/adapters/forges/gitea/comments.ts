import { issueComments } from '../issue-comments.ts'
import { callOf } from './api.ts'

/** Gitea and Forgejo name no limit; a comment of ours stays as short as at GitHub. */
export const comments = issueComments(callOf, 65_536)
