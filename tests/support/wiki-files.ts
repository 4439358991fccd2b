/** Playbooks as six kinds of wikis and editors write them, all of whose people are invented. */
export const WIKI_FILES: Readonly<Record<string, string>> = {
  GitHub: `# Outage :fire:

![badge](https://ci.example/badge.svg)

Introduction with **bold**, \`code\` and a [link](https://wiki.example/page "title").

## Triage

> [!IMPORTANT]
> Page the on-call engineer first.

- [x] Open the dashboard
- [ ] Compare it with ~~yesterday~~ last week
  1. CPU
  2. Memory

| Level | Who | When |
| :--- | :---: | ---: |
| P1 | Lead | At once |

<details><summary>Commands</summary>

\`\`\`bash
kubectl get pods
\`\`\`

</details>

Finally, write a note.[^1]

[^1]: https://notes.example/template
`,
  GitLab: `[[_TOC_]]

# Runbook

## Symptoms

>>>
Customers cannot pay.
>>>

1. Look at the queue
1. Restart the worker ~"severity::1"

## Escalation

Contact @payments or &12.

:point_right: Read the handbook
`,
  Confluence: `# Data Centre Runbook

<ac:structured-macro ac:name="info"><ac:rich-text-body><p>Read <strong>all</strong> of it.</p></ac:rich-text-body></ac:structured-macro>

# Preparation

<table class="wrapped"><colgroup><col /><col /></colgroup><tbody>
<tr><th><p>Role</p></th><th><p>Phone</p></th></tr>
<tr><td><p>Facility</p></td><td><p>Ext. 7</p><p>after six: 8</p></td></tr></tbody></table>

<ol><li><p>Check the doors</p><ul><li>north</li><li>south</li></ul></li><li><p>Call Facility</p></li></ol>

<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[shutdown -h now]]></ac:plain-text-body></ac:structured-macro>

# Afterwards

<p>Write&nbsp;the report&hellip;</p>
`,
  Notion: `# Fire drill

Owner: Ana
Status: Draft

<aside>
💡 Keep calm.

</aside>

---

### Leave

- [ ]  Take your coat

    Only if it is near.

- Evacuate
    - Stairs
        - North stairs

[Floor plan](Fire%20drill%20abc/plan.pdf)
`,
  Obsidian: `---
aliases: [Storm, Gale]
tags:
  - weather
---
Preface with [[Another note|alias]] and ==highlight==.

> [!tip]- Folded tip
> Tie down the boat. #urgent

## Before
* Shutters ^block-id
* Sandbags

%% a comment %%

![[map.png]]
`,
  Pandoc: `% Title line

Flood plan
==========

First part
----------

Pump
:   Removes water.

Valve
:   Stops it.

(1) Parenthesised
(2) List

1)  Close the valve
    and lock it.

    ~~~
    valve --close
    ~~~

2)  Open the drain

* * *

  Right     Left
-------     ------
     12     12

Inline note.^[It is short.]
`,
  'a battle card': `##### Battle Card: **BC-1 - Fraud**

**(P) Preparation**

1.  Log emails
2.  Train people

**(I) Identification**

1.  Monitor for:  
    a. Typo domains  
    b. Failing SPF
2.  Detect | Deny | Disrupt

**Resources:**

*    Plan: https://wiki.example/a\\_b

![](data:image/png;base64,AAAA)

  
© Somebody, Inc.® | https://wiki.example
`,
}
