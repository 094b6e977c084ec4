/** The English texts about an account that the operator has not approved yet, or has stopped. */
export const accountBanner = {
  approvalTitle: 'Your account is waiting for approval',
  approvalTest:
    'Test keys work already: with the test key of an {application} you can build and try your whole integration.',
  approvalTestLink: 'application',
  approvalLive:
    'Live keys follow once we have checked your document and the names that payers will see. There is nothing more for you to do; we write to {email}.',
  accountClosed: 'Your account is closed',
  accountSuspended: 'Your account is suspended',
  accountStopped:
    'You can see everything here, but nothing can be created, changed or refunded, and nobody can begin to pay. Payments that were confirmed before are still completed.',
  accountReason: 'The reason: {reason}',
  accountQuestions: 'If you have questions, please {link}.',
  accountQuestionsLink: 'contact us',
} as const satisfies Readonly<Record<string, string>>
