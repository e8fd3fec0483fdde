import { defineProblems } from '#platform/problems'

export const mcpProblem = defineProblems({
  'mcp.too_many_calls': { status: 429, title: 'Too many calls of tools' },
})
