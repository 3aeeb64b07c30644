package main

import (
	"crypto/sha256"
	"database/sql"
	"hash/crc32"
	"net/http"
	"regexp"
	"time"
)

const adminKeySQL = `SELECT organizations.number, organizations.id, admin_keys.id
	FROM admin_keys JOIN organizations ON organizations.number = admin_keys.organization
	WHERE digest = +?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)
		AND disabled_at IS NULL AND networks IS NULL AND workspace_id IS NULL`

// caller is whom an admin key belongs to.
type caller struct {
	organization   int64
	organizationID string
	adminKeyID     string
}

var (
	errKeyRequired = &apiError{http.StatusUnauthorized, "authentication_error", "x-api-key: header is required"}
	errKeyNotValid = &apiError{http.StatusUnauthorized, "authentication_error", "x-api-key: not a valid admin key"}
	secretPattern  = regexp.MustCompile(`^[a-z0-9-]+-admin01-[0-9A-Za-z]{49}$`)
)

// authenticate finds whom the admin key in this header belongs to.
func (s *store) authenticate(values []string) (caller, error) {
	var c caller
	if len(values) == 0 {
		return c, errKeyRequired
	}
	secret := values[0]
	if len(values) > 1 || !hasChecksum(secret) {
		return c, errKeyNotValid
	}
	digest := sha256.Sum256([]byte(secret))
	row := s.adminKey.QueryRow(digest[:], time.Now().UnixMicro())
	err := row.Scan(&c.organization, &c.organizationID, &c.adminKeyID)
	if err == sql.ErrNoRows {
		return c, errKeyNotValid
	}
	return c, err
}

// hasChecksum tells a mistyped key without a lookup.
func hasChecksum(secret string) bool {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	const checksumLength = 6
	if len(secret) > 128 || !secretPattern.MatchString(secret) {
		return false
	}
	at := len(secret) - checksumLength
	rest := crc32.ChecksumIEEE([]byte(secret[:at]))
	for i := len(secret) - 1; i >= at; i-- {
		if secret[i] != digits[rest%62] {
			return false
		}
		rest /= 62
	}
	return true
}
