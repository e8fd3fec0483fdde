export { type Automaton, buildAutomaton } from './automaton.ts'
export { derivedForms } from './derived-forms.ts'
