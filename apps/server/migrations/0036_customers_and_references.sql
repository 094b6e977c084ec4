-- A shop finds its payment by its own word for it, newest first. Only a payment that has one pays for this.
create index payments_by_reference on payments (merchant_id, application_id, reference, id) where reference is not null;
