-- More kinds of decisions. Those about accounts at providers, operators and persons belong to no merchant, and the subject of one about an
-- operator is an email.
alter table proposals drop constraint proposals_kind_check;
alter table proposals add constraint proposals_kind_check check (kind in (
  'merchant.approve', 'merchant.resume', 'merchant.close', 'application.resume', 'banking.approve', 'attempt.resolve', 'anomaly.resolve',
  'payment.return', 'refund.open', 'refund.resolve', 'refund.batch', 'refund.bounce', 'refund.settle', 'ledger.adjust', 'provider.enable',
  'provider.route', 'person.remove_authenticator', 'operator.add', 'operator.role')) not valid;
alter table proposals validate constraint proposals_kind_check;
alter table proposals drop constraint proposals_subject_check;
alter table proposals add constraint proposals_subject_check check (length(subject) <= 254) not valid;
alter table proposals validate constraint proposals_subject_check;
alter table proposals alter column account_id drop not null;
