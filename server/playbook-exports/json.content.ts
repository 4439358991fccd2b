import { SOURCE_FORMAT, SOURCE_VERSION } from '#contract/playbook-imports/rules.ts'

import type { SourcePlaybook } from './markdown.content.ts'

/** Playbooks in the product's JSON format, indented so that diffs are readable. */
export const jsonOf = (playbooks: readonly SourcePlaybook[]): string =>
  `${JSON.stringify(
    {
      format: SOURCE_FORMAT,
      version: SOURCE_VERSION,
      playbooks: playbooks.map(({ name, categoryName, description, activities }) => ({
        name,
        category: categoryName,
        description,
        activities: activities.map(
          ({
            type,
            title,
            description: text,
            formattedDescription,
            level,
            condition,
            priority,
            idealTitleToExecute,
            expectedTimeToComplete,
          }) => ({
            type,
            title,
            description: text,
            ...(formattedDescription !== null && { formattedDescription }),
            ...(type === 'HEADING' && { level, condition }),
            priority,
            idealTitleToExecute,
            expectedTimeToComplete,
          }),
        ),
      })),
    },
    null,
    2,
  )}\n`
