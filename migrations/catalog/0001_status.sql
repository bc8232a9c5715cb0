ALTER TABLE `sessions` ADD `status` text DEFAULT 'idle' NOT NULL;--> statement-breakpoint
ALTER TABLE `idempotency_keys` DROP COLUMN `fingerprint`;