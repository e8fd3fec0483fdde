import { issueComments } from '../issue-comments.ts'
import { callOf } from './api.ts'

/** GitHub refuses longer ones. */
export const comments = issueComments(callOf, 65_536)
