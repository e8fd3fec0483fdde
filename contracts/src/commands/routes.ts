import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const commandRoutes = routesOf<typeof shapes>()({
  listCommentCommands: {
    tag: 'git',
    method: 'GET',
    path: '/v1/comment-commands',
    summary: 'List the commands that came in comments through a source, newest first, with what became of each',
    permission: 'delivery.read',
    query: 'CommandQuery',
    answers: { 200: ['CommentCommand'] },
  },
  listRunCommands: {
    tag: 'runs',
    method: 'GET',
    path: '/v1/runs/:id/commands',
    summary: 'List the commands in comments that started, repeated, canceled or approved a run, newest first',
    permission: 'run.read',
    params: 'RunCommandsParams',
    query: 'RunCommandsQuery',
    answers: { 200: ['RunCommand'] },
  },
})
