-- A provider's number of a pull request has no bound of its own, and one that did not fit ended its delivery.
alter table pull_request_heads alter column number type bigint;
