export { describeHelp, type HelpFor } from './describe-help.ts'
export { describeNothing, describeStanding, type Standing } from './describe-standing.ts'
export { PERSON_LIMIT, SOURCE_LIMIT, windowStart } from './flood.ts'
export {
  asDelivered,
  judgeShown,
  judgeTold,
  type Refusal,
  type ShownComment,
  type ToldComment,
} from './judge-comment.ts'
export { type Command, type ParsedComment, parseComment } from './parse-command.ts'
export { isWithin } from './within-team.ts'
export { withoutValues } from './without-values.ts'
export { isWorthReading, type PostedWords } from './worth-reading.ts'
