import { Command } from 'commander'
import { aboutCommand } from './commands/about.ts'
import { takeApiOptions } from './commands/api-options.ts'
import { approvalCommand } from './commands/approval.ts'
import { artifactCommand } from './commands/artifact.ts'
import { auditCommand } from './commands/audit.ts'
import { backupCommand, migrateToCommand, restoreCommand } from './commands/backup.ts'
import { completionCommand } from './commands/completion.ts'
import { configCommand } from './commands/config.ts'
import type { Context } from './commands/context.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { emergencyCommand } from './commands/emergency.ts'
import { enrolmentCommand } from './commands/enrolment.ts'
import { environmentCommand } from './commands/environment.ts'
import { eventCommand } from './commands/event.ts'
import { externalTriggerCommand } from './commands/external-trigger.ts'
import { findCommand } from './commands/find.ts'
import { gitAppCommand } from './commands/git-app.ts'
import { grantCommand } from './commands/grant.ts'
import { groupCommand } from './commands/group.ts'
import { helpCommand } from './commands/help-topics.ts'
import { knowledgeCommand } from './commands/knowledge.ts'
import { liveCommand } from './commands/live.ts'
import { loginCommand, logoutCommand } from './commands/login.ts'
import { mcpCommand } from './commands/mcp.ts'
import { overrideCommand } from './commands/override.ts'
import { pipelineCommand } from './commands/pipeline.ts'
import { planCommand } from './commands/plan.ts'
import { profileCommand } from './commands/profile.ts'
import { runCommand } from './commands/run.ts'
import { runnerCommand } from './commands/runner.ts'
import { scheduleCommand } from './commands/schedule.ts'
import { searchCommand } from './commands/search.ts'
import { secretCommand } from './commands/secret.ts'
import { serviceAccountCommand } from './commands/service-account.ts'
import { sessionCommand } from './commands/session.ts'
import { settingsCommand } from './commands/settings.ts'
import { setupCommand } from './commands/setup.ts'
import { sourceCommand } from './commands/source.ts'
import { storageCommand } from './commands/storage.ts'
import { teamCommand } from './commands/team.ts'
import { tokenCommand } from './commands/token.ts'
import { triggerCommand } from './commands/trigger.ts'
import { serveCommand, upCommand } from './commands/up.ts'
import { userCommand } from './commands/user.ts'
import { whoamiCommand } from './commands/whoami.ts'
import { whyCommand } from './commands/why.ts'
import { readVersion } from './version.ts'

/** The tree of all commands, in the order in which help shows them. */
export function buildProgram(context: Context): Command {
  const program = new Command('signalbox')
    .description('Turns Git events, schedules and requests into runs of pipelines on runners.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpCommand(false)
    .addHelpText('after', '\n`signalbox help <command>` says more; `signalbox help exit-codes` lists how commands end.')
  const commands = [
    upCommand(context),
    demoCommand(context),
    serveCommand(context),
    runnerCommand(context),
    enrolmentCommand(context),
    profileCommand(context),
    doctorCommand(context),
    configCommand(context),
    backupCommand(context),
    restoreCommand(context),
    migrateToCommand(context),
    setupCommand(context),
    loginCommand(context),
    logoutCommand(context),
    whoamiCommand(context),
    aboutCommand(context),
    settingsCommand(context),
    searchCommand(context),
    findCommand(context),
    mcpCommand(context),
    pipelineCommand(context),
    runCommand(context),
    whyCommand(context),
    approvalCommand(context),
    planCommand(context),
    artifactCommand(context),
    storageCommand(context),
    triggerCommand(context),
    scheduleCommand(context),
    externalTriggerCommand(context),
    overrideCommand(context),
    sourceCommand(context),
    gitAppCommand(context),
    eventCommand(context),
    knowledgeCommand(context),
    emergencyCommand(context),
    secretCommand(context),
    teamCommand(context),
    environmentCommand(context),
    userCommand(context),
    groupCommand(context),
    serviceAccountCommand(context),
    grantCommand(context),
    tokenCommand(context),
    sessionCommand(context),
    auditCommand(context),
    liveCommand(context),
    completionCommand(context),
    helpCommand(context),
  ]
  for (const command of commands) program.addCommand(command)
  takeApiOptions(program)
  configure(program, context)
  return program
}

/** Everything is written through the surroundings, and nothing ends the process. */
function configure(command: Command, context: Context): void {
  const { out, err } = context.surroundings
  command.exitOverride().configureOutput({
    writeOut: (text) => out.write(text),
    writeErr: (text) => err.write(text),
    getOutHelpWidth: () => out.columns,
    getErrHelpWidth: () => err.columns,
    outputError: (text, write) => write(`${context.paintError('bad', 'error')} ${text.replace(/^error: /, '')}`),
  })
  command.showHelpAfterError(`(signalbox help ${pathOf(command)} says what it takes)`)
  for (const child of command.commands) configure(child, context)
}

function pathOf(command: Command): string {
  const parent = command.parent
  return parent ? `${pathOf(parent)} ${command.name()}`.trim() : ''
}
