interface Template {
  readonly label: string
  readonly document: string
}

export type TemplateName = 'plain' | 'matrix' | 'deploy'

/** What a new pipeline may begin with. */
export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  plain: {
    label: 'Build and test',
    document: `name: my-pipeline
steps:
  - name: build
    tasks:
      - name: compile
        run: |
          echo "build it here"
  - name: test
    depends_on: [build]
    tasks:
      - name: unit
        run: |
          echo "test it here"
`,
  },
  matrix: {
    label: 'Test in several versions',
    document: `name: my-pipeline
steps:
  - name: test
    matrix: { node: ["22", "24"] }
    tasks:
      - name: unit
        image: node:\${{ matrix.node }}
        run: npm test
        retry: { attempts: 2, backoff: 10s }
        timeout: 10m
`,
  },
  deploy: {
    label: 'Test, approve, deploy',
    document: `name: my-pipeline
variables: { STAGE: test }
concurrency: { group: "deploy-\${{ variables.STAGE }}", on_conflict: queue }
steps:
  - name: test
    tasks:
      - name: unit
        run: |
          echo "test it here"
  - name: release
    depends_on: [test]
    approval: { approvers: ["role:owner"], required: 1, timeout: 24h }
  - name: deploy
    depends_on: [release]
    tasks:
      - name: ship
        run: |
          echo "deploy to $STAGE"
`,
  },
}
