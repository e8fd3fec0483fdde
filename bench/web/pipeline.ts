/** What the runs are of that pages show. */
export const PIPELINE = `
name: build
checkout: false
steps:
  - name: build
    tasks: [{ name: compile, run: "true" }]
`
