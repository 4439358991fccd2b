export interface LegalText {
  readonly title: string
  readonly lead: string
  readonly sections: readonly {
    readonly title: string
    readonly paragraphs: readonly string[]
    readonly points?: readonly string[]
  }[]
}

/** Texts of the legal pages, imported directly. They describe the product and name no operator. */
export const legal = {
  back: 'Back to Muster',
  other: { privacy: 'Terms of Use', terms: 'Privacy Policy' },
  privacy: {
    title: 'Privacy Policy',
    lead: 'What this installation of Muster keeps about you, why, for how long, and whom to ask.',
    sections: [
      {
        title: 'Who is responsible',
        paragraphs: [
          'Your organization decides who has an account and what is recorded about an incident. The operator of this installation runs the server on its behalf. Together they are responsible for your data. The makers of the Muster software do not receive any of it.',
        ],
      },
      {
        title: 'What is kept',
        paragraphs: ['Muster keeps what is needed to run through a crisis and to account for it afterwards:'],
        points: [
          'Your account: name, email address, role, and, if they were entered, telephone number, location, department and picture.',
          'How you sign in: your password only as a hash that cannot be turned back, the secret of your authenticator app encrypted, recovery codes as hashes.',
          'What you contribute: incidents, exercises, tasks, updates, check-ins, messages and files.',
          'Messages that are sent to you by email, SMS or telephone, with the time and the result.',
          'A log of changes and of security acts, such as signing in, with their time, your name and, for sessions, the network address and the kind of browser.',
        ],
      },
      {
        title: 'What for',
        paragraphs: [
          'To let you in and keep others out, to reach you in an emergency, to coordinate the response, and to prove afterwards what was done when. It is not used for advertising, not sold, and not evaluated for any other purpose.',
        ],
      },
      {
        title: 'Who sees it',
        paragraphs: [
          'People of your organization see what their role allows. Other organizations on the same installation see nothing of it. The operator can send messages through email and telephone services that it has chosen; those services receive the address or number and the text of the message.',
        ],
      },
      {
        title: 'How long',
        paragraphs: [
          'Incidents, messages and the log are kept for as long as your organization keeps its account, because they may be needed as evidence. When you leave, your account is archived: it can no longer be used, and your name stays with what you did. Links and codes that are sent to you lose their validity after minutes, hours or days.',
        ],
      },
      {
        title: 'In your browser',
        paragraphs: [
          'Muster keeps your session, your organization code, your display settings and, if you asked for it, your email address in the storage of your browser. It sets no cookies to follow you and loads nothing from third parties unless your organization has switched on an outside service for calls or chat.',
        ],
      },
      {
        title: 'Whom to ask',
        paragraphs: [
          "Your organization's administrator can tell you what is kept about you, correct it, and take requests for deletion or a copy. Depending on where you live you may also have the right to complain to a data protection authority.",
        ],
      },
    ],
  },
  terms: {
    title: 'Terms of Use',
    lead: 'What applies to everybody who responds to incidents with this installation of Muster.',
    sections: [
      {
        title: 'Who may use it',
        paragraphs: [
          'Muster is for people whom their organization has given an account. Your organization and the operator of this installation set the rules of use; where they have agreed on more with you than stands here, that applies.',
        ],
      },
      {
        title: 'Your account',
        paragraphs: [],
        points: [
          'Use your own account only, and do not share your password, codes or recovery codes.',
          'Tell your administrator at once if your phone is lost or you believe that somebody else has access.',
          'Keep your contact details up to date: in an emergency they are how you are reached.',
        ],
      },
      {
        title: 'During an incident',
        paragraphs: [],
        points: [
          'What you record may become evidence. Write what you know, when you know it, and mark what you assume.',
          'Treat what you read as confidential, also after the incident, and share it only with people who need it.',
          'Respect the handling rules of rooms that are marked as privileged.',
          'Do not upload anything that you may not pass on, or that could harm others.',
        ],
      },
      {
        title: 'What is recorded',
        paragraphs: [
          'Changes are recorded with your name and the time, and cannot be removed from the record by anybody who uses Muster. The Privacy Policy says what is kept and for how long.',
        ],
      },
      {
        title: 'What Muster cannot do',
        paragraphs: [
          'Muster does not replace emergency services. If there is danger to life, call them first. Messages depend on networks that may fail in a crisis: have another way to reach the people who matter most.',
          'The software is provided as it is, under the Apache License 2.0. What the operator of this installation promises about its availability is agreed between the operator and your organization.',
        ],
      },
      {
        title: 'Questions',
        paragraphs: [
          "Your organization's administrator answers questions about these terms and can close your account.",
        ],
      },
    ],
  },
} satisfies { back: string; other: object; privacy: LegalText; terms: LegalText }
