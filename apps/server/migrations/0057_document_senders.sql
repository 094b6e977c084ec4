-- The pool of unclaimed documents has a size limit. When it is full the sender with the most bytes makes room, so each unclaimed
-- document records its sender: a keyed hash of the network. An account's document does not need it.
alter table documents
  add column sender bytea check (length(sender) = 32),
  add constraint documents_sender_unclaimed check (claimed_at is null or sender is null);

comment on column documents.sender is 'Keyed hash of the network that uploaded the document, until it is claimed; null for documents older than this column';
